// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Owners {
    function owner(bytes32 node) external view returns (address);
    function isApprovedForAll(address owner, address operator) external view returns (bool);
}

/// A resolver of names (ERC-137, ERC-181): the address that a name stands for, and the name that an address has chosen.
contract Resolver {
    Owners private constant REGISTRY = Owners(0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e);

    event AddrChanged(bytes32 indexed node, address a);
    event NameChanged(bytes32 indexed node, string name);

    mapping(bytes32 => address) public addr;
    mapping(bytes32 => string) public name;

    modifier authorised(bytes32 node) {
        address holder = REGISTRY.owner(node);
        require(
            holder == msg.sender || REGISTRY.isApprovedForAll(holder, msg.sender),
            "not the owner of the node"
        );
        _;
    }

    function setAddr(bytes32 node, address a) external authorised(node) {
        addr[node] = a;
        emit AddrChanged(node, a);
    }

    function setName(bytes32 node, string calldata name_) external authorised(node) {
        name[node] = name_;
        emit NameChanged(node, name_);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x3b3b57de || id == 0x691f3431;
    }
}
